/** Reduced rate of the consumption tax in Japan, and the mark of goods that bear it. */
export const REDUCED_RATE = 8

/** Explained at the foot of the invoice. */
export const REDUCED_RATE_MARK = '※'
