/** Release: the version of this program, as package.json names it. */
import { readFileSync } from 'node:fs'

export const releaseVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const named = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined
  if (typeof named !== 'string') throw new Error('package.json has no version')
  return `v${named}`
}
