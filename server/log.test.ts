import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { createLog, errorFacts, joinLines, withoutCardNumbers, withRequestId, type Log, messageOf } from './log.ts'
import { LOG_LEVELS } from './config/config.ts'

const capture = (
  level: (typeof LOG_LEVELS)[number] = 'debug',
  elapsed: () => number = () => 0,
): { log: Log; lines: string[] } => {
  const lines: string[] = []
  return { log: createLog(level, (line) => lines.push(line), elapsed), lines }
}

/** Every digit of the text in ASCII, and nothing else of it. */
const digitsIn = (text: string): string =>
  text.normalize('NFKC').replaceAll('\\n', '').replaceAll('\\r', '').replaceAll('\\t', '').replace(/\D/g, '')

const NUMBERS = ['4242424242424242', '340000000000108', '36000000000008']

const grouped = (digits: string, between: string): string => digits.replace(/(\d{4})(?=\d)/g, `$1${between}`)

const fullWidth = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))

const SPELLINGS: Readonly<Record<string, (digits: string) => string>> = {
  plain: (digits) => digits,
  spaced: (digits) => grouped(digits, ' '),
  'spaced twice': (digits) => grouped(digits, '  '),
  'with no-break spaces': (digits) => grouped(digits, '\u00a0'),
  dashed: (digits) => grouped(digits, '-'),
  'with spaced dashes': (digits) => grouped(digits, ' - '),
  'with en dashes': (digits) => grouped(digits, '–'),
  dotted: (digits) => grouped(digits, '.'),
  slashed: (digits) => grouped(digits, '/'),
  'underlined together': (digits) => grouped(digits, '_'),
  'on four lines': (digits) => grouped(digits, '\n'),
  'on four lines of Windows': (digits) => grouped(digits, '\r\n'),
  tabbed: (digits) => grouped(digits, '\t'),
  'digit by digit': (digits) => [...digits].join(' '),
  'full-width': fullWidth,
  'full-width and spaced': (digits) => fullWidth(digits).replace(/(.{4})(?=.)/gu, '$1\u3000'),
  'inside a sentence': (digits) => `card ${digits} was refused`,
  'inside JSON': (digits) => `{"card":{"number":"${digits}"}}`,
  'inside an address': (digits) => `/api/v1/checkouts/x?number=${digits}&x=1`,
  'with an expiry behind it': (digits) => `${digits} 12/30`,
}

for (const [name, spell] of Object.entries(SPELLINGS)) {
  test(`no log line holds a card number ${name}`, () => {
    for (const digits of NUMBERS) {
      const { log, lines } = capture()
      const text = spell(digits)
      log.info(text)
      log.warn('a fact', { call: text, merchant: text, code: text, why: text, address: text })
      log.error('a fact', { error: text, at: [text, text], directive: text, database: text })
      log.alarm('a fact', { order: text, why: text })
      assert.equal(lines.length, 4)
      for (const line of lines) {
        assert.ok(digitsIn(text).includes(digits), 'the spelling lost the number')
        assert.ok(!digitsIn(line).includes(digits), `${name} was written`)
        assert.match(line, /\[digits\]/)
      }
    }
  })
}

test('of an error only its class and place are written, never its message', () => {
  const { log, lines } = capture()
  const body = '{"card":{"number":"4242 4242 4242 4242","cvc":"737"'
  try {
    JSON.parse(body)
    assert.fail('that was JSON')
  } catch (error) {
    log.error('a call failed', errorFacts(error))
    assert.ok(error instanceof SyntaxError)
    const facts = errorFacts(new TypeError(`cannot charge ${body}\n    and more of ${body}`))
    assert.equal(facts.error, 'TypeError')
    assert.doesNotMatch(JSON.stringify(facts), /4242|737/)
    assert.ok(facts.at?.every((place) => place.startsWith('at ')))
  }
  assert.doesNotMatch(lines.join(''), /4242|737|card/)
  assert.match(lines.join(''), /"error":"SyntaxError"/)
  assert.deepEqual(errorFacts('4242424242424242'), { error: 'string' })
})

test('a fact that is not on the list is not written, even inside an object that was not checked', () => {
  const { log, lines } = capture()
  const facts = { status: 200, ms: 3, holderName: 'TARO YAMADA', cvc: '737', body: { email: 'taro@example.com' } }
  log.info('answered', facts)
  log.warn('answered', facts)
  log.error('answered', facts)
  for (const line of lines) {
    const { time: _time, level: _level, ...rest }: Record<string, unknown> = JSON.parse(line)
    assert.deepEqual(rest, { msg: 'answered', status: 200, ms: 3 })
  }
})

test('an alarm is logged as an error marked as alarm, with the order that it is about', () => {
  const { log, lines } = capture('error')
  const facts = { order: 'o1', why: 'in doubt', checkout: 'a link to pay it' }
  log.alarm('payment needs a person', facts)
  const { time: _time, ...rest }: Record<string, unknown> = JSON.parse(lines.join(''))
  assert.deepEqual(rest, { level: 'error', alarm: true, msg: 'payment needs a person', order: 'o1', why: 'in doubt' })
})

test('an answer is logged at the level info with its route', () => {
  const { log, lines } = capture('info')
  log.answered({ method: 'GET', route: '/api/v1/checkouts/:checkoutId', status: 404, ms: 3 })
  const { time: _time, ...rest }: Record<string, unknown> = JSON.parse(lines.join(''))
  const call = 'GET /api/v1/checkouts/:checkoutId'
  assert.deepEqual(rest, { level: 'info', msg: 'answered', call, status: 404, ms: 3 })
})

test('a log line is one line of JSON with an ISO time, and its small numbers are kept', () => {
  const { log, lines } = capture()
  log.info('answered', { call: 'GET /api/v1/checkouts/:checkoutId', status: 200, ms: 999_999_999_999 })
  const [line = ''] = lines
  assert.equal(line.indexOf('\n'), line.length - 1)
  const read: Record<string, unknown> = JSON.parse(line)
  assert.match(String(read['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual([read['level'], read['msg'], read['status'], read['ms']], ['info', 'answered', 200, 999_999_999_999])
})

test('twelve digits are kept and thirteen are removed', () => {
  assert.equal(withoutCardNumbers('424242424242'), '424242424242')
  assert.equal(withoutCardNumbers('4242424242424'), '[digits]')
  assert.equal(withoutCardNumbers('a 2026-11-15T05:22:33.123Z b'), 'a 2026-11-15T05:22:33.123Z b')
})

test('a long line without a card number is searched in less than two seconds of CPU time', () => {
  const line = `${'1 '.repeat(12)}x`.repeat(20_000)
  const began = process.cpuUsage()
  withoutCardNumbers(line)
  assert.ok(process.cpuUsage(began).user < 2_000_000)
})

test('a level writes its own messages and the more severe ones', () => {
  const shown = (level: (typeof LOG_LEVELS)[number]): number => {
    const { log, lines } = capture(level)
    log.info('a')
    log.warn('b')
    log.error('c')
    return lines.length
  }
  assert.deepEqual(LOG_LEVELS.map(shown), [3, 3, 2, 1, 0])
})

test('what kept the server from starting is reported with the error’s own message, all of them where there are several', () => {
  assert.equal(messageOf(new Error('no such file')), 'no such file')
  const both = new AggregateError([new Error('::1 refused'), new AggregateError([new Error('127.0.0.1 refused'), 'x'])])
  assert.equal(messageOf(both), '::1 refused, 127.0.0.1 refused, x')
  for (const thrown of ['plain text', undefined, 7]) assert.equal(messageOf(thrown), String(thrown))
})

test('errors and alarms are urgent, and nothing else is', () => {
  const urgent: boolean[] = []
  const log = createLog(
    'debug',
    (_line, isUrgent) => urgent.push(isUrgent),
    () => 0,
  )
  log.error('a')
  log.info('b')
  log.alarm('c', { why: 'in doubt' })
  log.warn('d')
  log.answered({ method: 'GET', route: '/healthz', status: 200, ms: 1 })
  assert.deepEqual(urgent, [true, false, true, false, false])
})

test('a start that a limit refused writes one line of its kind in ten seconds, with the network and no card', () => {
  let now = 0
  const { log, lines } = capture('debug', () => now)
  for (let start = 0; start < 100; start += 1) log.limited('address', { address: '192.0.2.1' })
  log.limited('card', {})
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /"address":"192\.0\.2\.1","why":"address"/)
  now = 9999
  log.limited('address', { address: '192.0.2.2' })
  assert.equal(lines.length, 2)
  now = 10_000
  log.limited('address', { address: '192.0.2.2' })
  assert.equal(lines.length, 3)
})

test('every line written for a request names it, across awaits, and the lines of others do not', async () => {
  const { log, lines } = capture()
  const work = async (word: string): Promise<void> => {
    await Promise.resolve()
    log.info(word)
  }
  await Promise.all([withRequestId('r1', () => work('one')), withRequestId('r2', () => work('two')), work('nobody')])
  log.info('given', { request: 'r3' })
  const read = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const named = Object.fromEntries(read.map(({ msg, request }) => [msg, request]))
  assert.deepEqual(named, { one: 'r1', two: 'r2', nobody: undefined, given: 'r3' })
})

const captureWrites = () => {
  const writes: string[] = []
  return { ...joinLines((lines) => writes.push(lines)), writes }
}

test('the lines of one turn of the event loop are one write, those of the next another', async () => {
  const { write, writes } = captureWrites()
  write('a\n', false)
  await Promise.resolve()
  write('b\n', false)
  assert.deepEqual(writes, [])
  await nextTurn()
  assert.deepEqual(writes, ['a\nb\n'])
  write('c\n', false)
  await nextTurn()
  assert.deepEqual(writes, ['a\nb\n', 'c\n'])
})

test('an urgent line is written at once, behind those before it, and none twice', async () => {
  const { write, writes } = captureWrites()
  write('a\n', false)
  write('b\n', true)
  assert.deepEqual(writes, ['a\nb\n'])
  write('c\n', true)
  write('d\n', false)
  await nextTurn()
  assert.deepEqual(writes, ['a\nb\n', 'c\n', 'd\n'])
})

test('what waits is written when it is flushed, and nothing where nothing waits', async () => {
  const { write, flush, writes } = captureWrites()
  flush()
  write('a\n', false)
  flush()
  await nextTurn()
  assert.deepEqual(writes, ['a\n'])
})

const ENDS: Readonly<Record<string, string>> = {
  'exits at once': 'process.exit(0)',
  'comes to its end': '',
  'throws what nobody catches': "throw new Error('a bug')",
  'rejects what nobody catches': "void Promise.reject(new Error('a bug'))",
}
for (const [name, end] of Object.entries(ENDS))
  test(`a process that ${name} has written its last line`, () => {
    const module = new URL('./log.ts', import.meta.url).href
    const program = `import { logToStderr } from ${JSON.stringify(module)}; logToStderr()('the last line\\n', false); ${end}`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
    assert.match(stderr, /^the last line$/m)
  })
