-- Operators list rejections of sales that nobody knows, the newest first, among the reports of all networks.
create index concurrently postbacks_rejected on postbacks (received_at) where status = 'rejected';
