/** Figures: what a proof measured. A proof that failed has none: it throws, and nothing is written to docs/proof.json. */
export type Figures = Readonly<Record<string, number | string>>
