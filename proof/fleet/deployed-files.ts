/** Deployed files: the examples of deploy/, with their ${NAMES} filled in. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../tools/command-error.mjs'
import { ROOT } from '../../tools/root.ts'

export const TEMPLATES = ['haproxy.cfg', 'patroni.yml', 'valkey.conf', 'sentinel.conf'] as const
export type Template = (typeof TEMPLATES)[number]

const NAME = /\$\{([A-Z_0-9]+)\}/g

export const readDeployed = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8')

/** Without comments, which tell of names. */
const directives = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '')

export const namesIn = (template: Template): string[] => [
  ...new Set([...directives(readDeployed(template)).matchAll(NAME)].map(([, name = '']) => name)),
]

/** As `envsubst` fills them, but a name without a value is refused: there it would become empty. */
export const fillTemplate = (template: Template, values: Readonly<Record<string, string>>): string =>
  readDeployed(template).replaceAll(/^(?!\s*#).*$/gm, (line) =>
    line.replaceAll(NAME, (_all, name: string) => {
      const value = values[name]
      if (value === undefined) throw new CommandError(`deploy/${template}: \${${name}} has no value`)
      return value
    }),
  )

/** The variables of a file such as fleet.env, without comments. */
export const readVariables = (file: string): Record<string, string> =>
  Object.fromEntries(
    readDeployed(file)
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
