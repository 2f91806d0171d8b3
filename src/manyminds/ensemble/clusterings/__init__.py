"""Clusters without labels: many base clusterings, and the partition they agree on."""
