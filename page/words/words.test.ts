import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { words as english } from './en-US.ts'
import { invoiceWords } from '#contract/invoice-words.ts'
import { loadedWords, loadWords } from './load-words.ts'

/** A text by its path in the dictionary; a function is called with stand-ins for its arguments. */
interface Text {
  readonly path: string
  readonly text: string
  readonly given: readonly string[]
}

const STAND_INS = ['‹first›', '‹second›', '‹third›']

/** The shape comes from English: a translation that takes fewer arguments compiles, and would drop the shop or the amount. */
const textsOf = (shape: unknown, translated: unknown, path: string): Text[] => {
  if (typeof shape === 'string') {
    assert.ok(typeof translated === 'string', path)
    return [{ path, text: translated, given: [] }]
  }
  if (typeof shape === 'function') {
    assert.ok(typeof translated === 'function', path)
    const given = STAND_INS.slice(0, shape.length)
    const text: unknown = Reflect.apply(translated, undefined, given)
    assert.ok(typeof text === 'string', path)
    return [{ path, text, given }]
  }
  assert.ok(typeof shape === 'object' && shape !== null && typeof translated === 'object' && translated !== null, path)
  assert.deepEqual(Object.keys(translated).toSorted(), Object.keys(shape).toSorted(), path)
  const inner: Readonly<Record<string, unknown>> = { ...translated }
  return Object.entries(shape).flatMap(([name, part]) =>
    textsOf(part, inner[name], path === '' ? name : `${path}.${name}`),
  )
}

const ENGLISH = new Map(textsOf(english, english, '').map(({ path, text }) => [path, text]))

/** The notice itself is in Japanese for everybody, so Japanese needs no translation of it. */
const mayBeEmpty = (locale: string, path: string): boolean => locale === 'ja' && path === 'consent.translation'

/** Names and examples are the same everywhere. */
const mayBeEnglish = (path: string): boolean =>
  path.endsWith('Example') || path === 'card.listed' || path === 'failure.ok' || path === 'footer.poweredBy'

for (const locale of PAGE_LOCALES) {
  test(`${locale}: no text is empty, and each contains its arguments`, async () => {
    const texts = textsOf(english, await loadWords(locale), '')
    assert.equal(texts.length, ENGLISH.size)
    for (const { path, text, given } of texts) {
      if (!mayBeEmpty(locale, path)) assert.notEqual(text.trim(), '', path)
      assert.equal(text, text.trim(), path)
      for (const argument of given) assert.ok(text.includes(argument), `${path} leaves out ${argument}: ${text}`)
      assert.doesNotMatch(text, /undefined|null|\[object|\$\{|TODO/, path)
    }
  })
}

for (const locale of PAGE_LOCALES) {
  test(`${locale}: the words of an invoice are all there, name their rate, and are nobody else’s`, () => {
    const texts = textsOf(invoiceWords.ja, invoiceWords[locale], '')
    for (const { path, text, given } of texts) {
      assert.equal(text, text.trim(), path)
      assert.notEqual(text, '', path)
      for (const argument of given) assert.ok(text.includes(argument), path)
    }
    const others = PAGE_LOCALES.filter((other) => other !== locale).map((other) => invoiceWords[other])
    assert.ok(
      others.every(({ title, tax }) => title !== invoiceWords[locale].title && tax !== invoiceWords[locale].tax),
    )
  })
}

for (const locale of PAGE_LOCALES.filter((name) => name !== 'en-US')) {
  test(`${locale}: no text was left in English`, async () => {
    const left = textsOf(english, await loadWords(locale), '')
      .filter(({ path, text }) => text === ENGLISH.get(path) && !mayBeEnglish(path))
      .map(({ path }) => path)
    assert.deepEqual(left, [])
  })
}

test('in every language what is marked as a sample has the watermark’s word in front of it', async () => {
  for (const locale of PAGE_LOCALES) {
    const { sample, asSample } = (await loadWords(locale)).preview
    assert.match(asSample('txn_1'), new RegExp(`^\\p{Punctuation}?${sample}\\p{Punctuation} ?txn_1$`, 'u'), locale)
  }
})

test('the security code is named CVC or CVV in every language, as cards and other checkouts name it', async () => {
  for (const locale of PAGE_LOCALES)
    assert.match((await loadWords(locale)).card.cvc, /\((CVC|CVV)\)|（(CVC|CVV)）/, locale)
})

test('the e-mail field promises nothing that would be sent to it', async () => {
  const labels = await Promise.all(PAGE_LOCALES.map(async (locale) => (await loadWords(locale)).card.email))
  assert.deepEqual(labels, ['メールアドレス', 'Email', '이메일', '电子邮箱', '電子郵件', 'อีเมล'])
})

const MAIL = /e-?mail|メール|메일|邮|郵|อีเมล/i

for (const locale of PAGE_LOCALES)
  test(`${locale}: only the text of a doubt on a server that sends mails promises one`, async () => {
    const named = textsOf(english, await loadWords(locale), '').filter(({ text }) => MAIL.test(text))
    // The fields, what is wrong with one, the shop's own address, the notice of what is handed on, and a postcode.
    const promising = named.filter(
      ({ path }) =>
        !/^(card\.email(Example)?|problem\.email|shop\.email|consent\.\w+|preview\.shopAddress)$/.test(path),
    )
    assert.deepEqual(
      promising.map(({ path }) => path),
      ['confirming.willEmail'],
    )
  })

test('Korean asks in -세요 throughout, never in the stiff -십시오', async () => {
  const texts = textsOf(english, await loadWords('ko'), '').map(({ text }) => text)
  assert.deepEqual(
    texts.filter((text) => text.includes('십시오')),
    [],
  )
  assert.ok(texts.filter((text) => text.includes('세요')).length > 8)
})

test('texts that were loaded can be read without waiting', async () => {
  const words = await loadWords('th')
  assert.equal(loadedWords('th'), words)
})

test('Japanese adds no translation to the Japanese consent notice', async () => {
  assert.equal((await loadWords('ja')).consent.translation, '')
})

test('the English texts that the specification quotes stand word for word', () => {
  const quoted: Readonly<Record<string, string>> = {
    'failure.invalid_card': 'This card cannot be used. Please use another card or contact your card issuer.',
    'failure.card_declined': 'This card is not accepted.',
    'failure.unsupported_card': 'This credit card is unsupported.',
    'failure.card_expired': 'Your credit card is expired.',
    'failure.invalid_number_of_installments': 'The payment in the specified number of installments is not supported.',
    'failure.system_error': 'System error',
    'failure.payment': 'Payment failed.',
    'failure.network_error': 'Network error. Please check your network.',
    'failure.ok': 'OK',
    'problem.required': 'This is a required field',
    'problem.cardPattern': 'Invalid format for credit card number',
    'problem.excludedCard': 'This is credit card is not accepted',
    'problem.invalidCard': 'The credit card number entered is incorrect',
    'problem.notATestCard': 'Only test cards are accepted.',
    'problem.expiry': 'Invalid format for expiration date',
    'problem.cvc': 'Invalid format for security code',
    'problem.email': 'Invalid format for email address',
    'problem.holder': 'Invalid format for card holder name',
    'error.expired': 'This invoice has expired.',
    'error.failed': 'Payment with the invoice failed.',
    'error.cancelled': 'Cancelled invoice.',
    'error.contactStore': 'Please contact the store owner.',
    'error.serverTitle': 'Server error',
    'error.serverMessage': 'This page cannot be displayed due to system issues. Please try again in a little while.',
    'error.notFoundTitle': '404 Page not found',
    'error.notFoundMessage': 'The page you are looking for cannot be found.',
  }
  for (const [path, text] of Object.entries(quoted)) assert.equal(ENGLISH.get(path), text, path)
})

for (const locale of PAGE_LOCALES) {
  test(`${locale}: a refused card is spoken of with the specified text, and with what it has cost`, async () => {
    const { card, failure } = await loadWords(locale)
    assert.ok(card.cardRefused.startsWith(failure.invalid_card))
    assert.ok(card.cardRefused.length > failure.invalid_card.length)
  })
}
