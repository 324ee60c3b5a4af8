/** Figures in docs/bench.json: read back as they were written, without trusting that they are there. */
import type { Figures } from '../../tools/measurement/figures.ts'
import { isRecord } from '../../tools/is-record.mjs'

const isFigures = (value: unknown): value is Figures =>
  isRecord(value) &&
  Object.values(value).every((each) => typeof each === 'number' || typeof each === 'string' || isFigures(each))

/** The figures of one bench; undefined where it was never measured. */
export const figuresIn = (results: unknown, bench: string): Figures | undefined => {
  const entry = isRecord(results) ? results[bench] : undefined
  const figures = isRecord(entry) ? entry['figures'] : undefined
  if (figures !== undefined && !isFigures(figures)) throw new Error(`docs/bench.json: ${bench} holds no figures`)
  return figures
}

/** The records below a name, with their names. */
export const recordsIn = (figures: Figures, name: string): [name: string, record: Figures][] =>
  Object.entries(partIn(figures, name)).flatMap(([each, record]) =>
    typeof record === 'object' ? [[each, record] satisfies [string, Figures]] : [],
  )

export const partIn = (figures: Figures, name: string): Figures => {
  const part = figures[name]
  return typeof part === 'object' ? part : {}
}

export const numberIn = (figures: Figures, name: string): number | undefined => {
  const value = figures[name]
  return typeof value === 'number' ? value : undefined
}
