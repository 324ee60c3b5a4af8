-- oldest beside: 1.51.0
-- The figures of a busy day that is not over are counted by the worker, for shops whose figures somebody reads.

-- Null: the day was closed when it was summed. Otherwise the day was open, and everything up to about this time is counted.
ALTER TABLE day_figures ADD COLUMN counted_at BIGINT;
-- How many rows were read for it: the more, the later it is counted again. Null where the other one is.
ALTER TABLE day_figures ADD COLUMN rows_read BIGINT;

-- When somebody last read the figures of this shop, to the day.
ALTER TABLE day_figures_progress ADD COLUMN read_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX day_figures_progress_read ON day_figures_progress (read_at);

-- Shops of which a day is being summed, or is left half done by a worker that died or had an error.
CREATE INDEX day_figures_progress_half_done ON day_figures_progress (summing_day, merchant_id, mode) WHERE summing_day IS NOT NULL;
