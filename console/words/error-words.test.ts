import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSOLE_API } from '#contract/console/api.ts'
import { MERCHANT_API } from '#contract/merchant/api.ts'
import { errorWords } from './error-words.ts'

/** Codes that a call with a session is never answered with, or only where the console itself is wrong. */
const NEVER_SHOWN = ['invalid_api_key', 'unsupported_media_type', 'method_not_allowed', 'if_match_required']

test('every refusal that a person of a shop may meet is a sentence in both languages', () => {
  const calls = [...Object.values(CONSOLE_API), ...Object.values(MERCHANT_API)]
  const codes = new Set<string>(calls.flatMap(({ errors }) => errors))
  for (const [locale, sentences] of Object.entries(errorWords))
    assert.deepEqual(
      [...codes].filter((code) => !NEVER_SHOWN.includes(code) && !Object.hasOwn(sentences, code)),
      [],
      locale,
    )
})

test('a passkey that confirms nothing yet is explained with its time, a limit with its minutes', () => {
  const params = { until: '2026-11-19T12:00:00+09:00', retryAfterSeconds: 61 }
  const [ja, english] = [errorWords.ja, errorWords['en-US']]
  assert.match(ja.passkey_too_new?.(params, (at) => `<${at}>`) ?? '', /<2026-11-19T12:00:00\+09:00> まで/)
  assert.match(english.too_many_tries?.(params, String) ?? '', /about 2 min/)
})
