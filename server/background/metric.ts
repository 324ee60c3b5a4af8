/** Metric: one figure with its help, in the text format of Prometheus. */

/** Routes, statuses and the like: no id, no merchant, nothing that a shopper sent. */
export type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly labels?: Labels
  readonly value: number
}

export interface Metric {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly samples: readonly Sample[]
}

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: [{ value }],
})

export const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  type: 'counter',
  help,
  samples,
})

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const labelsText = (labels: Labels = {}): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join()}}`
}

/** The text format of Prometheus, version 0.0.4. */
export const metricText = ({ name, type, help, samples }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ labels, value }) => `${name}${labelsText(labels)} ${value}`),
    '',
  ].join('\n')

/** How long ago it was, in seconds; 0 for nothing, and for what is still to come. */
export const secondsSince = (since: number | null, now: number): number =>
  since === null ? 0 : Math.max(0, now - since) / 1000
