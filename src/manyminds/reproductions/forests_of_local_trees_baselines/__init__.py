"""The competitors of Forests of Local Trees: forests of ten trees on 36 data sets."""
