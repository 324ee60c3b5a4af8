/** Figures: what was measured. A proof or a bench that fails throws, and writes no figures. */
export interface Figures {
  readonly [name: string]: number | string | Figures
}
