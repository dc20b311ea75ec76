"""The log: envelopes, digests, the store, the feed, projections and audit."""
