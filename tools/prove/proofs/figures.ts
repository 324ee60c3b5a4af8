/** What a proof measured. A proof that failed has no figures: it refuses, and nothing is written down. */
export type Figures = Readonly<Record<string, number | string>>
