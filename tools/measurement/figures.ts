/** Figures: what was measured. A proof or a bench that failed has none: it throws, and nothing is written. */
export interface Figures {
  readonly [name: string]: number | string | Figures
}
