/** Figures: what was measured. A proof or a bench that failed has none: it throws, and nothing is written. */
export type Figures = Readonly<Record<string, number | string>>
