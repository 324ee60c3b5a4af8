import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

export type Settings = { port: number; host: string; dataFolder: string; timeScale: number }

type ReadSettings = { kind: 'settings'; settings: Settings } | { kind: 'refused'; line: string }

const names = ['port', 'host', 'data', 'time-scale'] as const
type Name = (typeof names)[number]

const mends: Record<Name, string> = {
  port: 'give a whole number from 0 to 65535 (0 picks a free port), as in --port 3001',
  host: 'give an IP address or localhost, as in --host 127.0.0.1',
  data: 'give a folder, as in --data data/sandbox',
  'time-scale': 'give a number from 0.1 to 1, as in --time-scale 1',
}

const accepts: Record<Name, (value: string) => boolean> = {
  port: (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535,
  host: (value) => isIP(value) !== 0 || value === 'localhost',
  data: (value) => value.trim() !== '',
  'time-scale': (value) => /^\d(\.\d+)?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 1,
}

export const readArguments = (given: readonly string[]): ReadSettings => {
  const { values, positionals } = parseArgs({
    args: [...given],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      data: { type: 'string' },
      'time-scale': { type: 'string' },
    },
    strict: false,
  })
  const unknown = Object.keys(values).find((key) => !names.some((name) => name === key))
  const stray = unknown === undefined ? positionals[0] : `--${unknown}`
  if (stray !== undefined) {
    return refused(`${stray} is not an argument; use ${names.map((name) => `--${name}`).join(', ')}`)
  }
  const read = { port: '', host: '', data: '', 'time-scale': '' } satisfies Record<Name, string>
  for (const name of names) {
    const value = values[name]
    if (typeof value !== 'string') return refused(`--${name} is missing; ${mends[name]}`)
    if (!accepts[name](value)) return refused(`--${name} ${JSON.stringify(value)} is not valid; ${mends[name]}`)
    read[name] = value
  }
  return {
    kind: 'settings',
    settings: {
      port: Number(read.port),
      host: read.host,
      dataFolder: read.data,
      timeScale: Number(read['time-scale']),
    },
  }
}

const refused = (line: string): ReadSettings => ({ kind: 'refused', line })
