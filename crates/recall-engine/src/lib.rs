//! The one façade over Recall: query, brief, list, stats, import, scan.
