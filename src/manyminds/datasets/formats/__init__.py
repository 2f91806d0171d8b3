"""One reader per file format: delimited text, ARFF, Parquet and svmlight."""
