import pino from 'pino'
import type { LogLevel } from './config.ts'

/** The whole list of what a log line may hold. A fact that is not here cannot be logged. */
export interface LogFacts {
  readonly call?: string
  readonly merchant?: string
  readonly status?: number
  readonly ms?: number
  readonly code?: string
  readonly why?: string
  readonly error?: string
  readonly at?: readonly string[]
  readonly directive?: string
  readonly database?: string
  readonly address?: string
}

export interface Log {
  info(event: string, facts?: LogFacts): void
  warn(event: string, facts?: LogFacts): void
  error(event: string, facts?: LogFacts): void
}

/** Second line of defence behind the list above: a run of digits long enough for a card number is never written. */
export const withoutCardNumbers = (line: string): string => line.replace(/\d(?:[ -]?\d){12,}/g, '[digits]')

export const createLog = (level: LogLevel, write: (line: string) => void): Log => {
  const logger = pino(
    // An ISO time has no run of 13 digits; the default epoch milliseconds would be taken for a card number.
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(withoutCardNumbers(line)) },
  )
  return {
    info: (event, facts = {}) => logger.info(facts, event),
    warn: (event, facts = {}) => logger.warn(facts, event),
    error: (event, facts = {}) => logger.error(facts, event),
  }
}

/** Class and place of an error, never its message: a JSON parser quotes the body it could not read, card number and all. */
export const errorFacts = (error: unknown): LogFacts =>
  error instanceof Error
    ? {
        error: error.name,
        at: (error.stack ?? '')
          .split('\n')
          .filter((line) => line.trimStart().startsWith('at '))
          .slice(0, 6)
          .map((line) => line.trim()),
      }
    : { error: typeof error }
