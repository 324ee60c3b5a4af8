/** Failure text: what a refused call means, in the person's language. */
import type { ErrorParams } from '#contract/errors.ts'
import { errorWords, otherErrorWords, type FailureCode } from './error-words.ts'
import { useFormats, useWords } from './language.tsx'

interface Failure {
  readonly code: FailureCode
  readonly params: ErrorParams
}

export const useFailureText = (): ((failure: Failure) => string) => {
  const [sentences, other] = [useWords(errorWords), useWords(otherErrorWords)]
  const { time } = useFormats()
  return ({ code, params }) => sentences[code]?.(params, time) ?? other(code)
}
