"""One reader per file format: delimited text, ARFF, Parquet, XLSX and svmlight."""
