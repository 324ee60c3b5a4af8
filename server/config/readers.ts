/** Configuration readers: one variable each, refused with a line that names it and the mend. */

export type Environment = Readonly<Record<string, string | undefined>>

/** Carries the one line that names the variable and the mend. */
export class Problem extends Error {}

export const given = (env: Environment, name: string): string | undefined => {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

export const isProduction = (env: Environment): boolean => given(env, 'NODE_ENV') === 'production'

interface Range<T> {
  readonly from: number
  readonly to: number
  /** Null: what the variable asks for is not wanted unless it is set. */
  readonly otherwise: T
}

export const number = <T extends number | null>(env: Environment, name: string, range: Range<T>): number | T => {
  const text = given(env, name)
  if (text === undefined) return range.otherwise
  const value = Number(text)
  if (!Number.isFinite(value) || value < range.from || value > range.to) {
    throw new Problem(
      `${name} is "${text}": set it to a number from ${range.from} to ${range.to}, or leave it unset for ${range.otherwise ?? 'none'}.`,
    )
  }
  return value
}

export const wholeNumber = <T extends number | null>(env: Environment, name: string, range: Range<T>): number | T => {
  const value = number(env, name, range)
  if (value !== null && !Number.isInteger(value))
    throw new Problem(`${name} is "${env[name]}": set it to a whole number.`)
  return value
}

export const oneOf = <T extends string>(env: Environment, name: string, words: readonly T[], otherwise: T): T => {
  const text = given(env, name)
  if (text === undefined) return otherwise
  const known = words.find((candidate) => candidate === text)
  if (known === undefined) throw new Problem(`${name} is "${text}": set it to one of ${words.join(', ')}.`)
  return known
}

export const webAddress = (name: string, text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Problem(`${name} is "${text}": set it to an address that begins with http:// or https://.`)
  }
  return url
}

/** Scheme, host and port; null when unset. */
export const origin = (env: Environment, name: string): string | null => {
  const text = given(env, name)
  if (text === undefined) return null
  const url = webAddress(name, text)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Problem(`${name} is "${text}": give scheme, host and port only.`)
  }
  return url.origin
}
