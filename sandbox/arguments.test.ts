import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readArguments } from './arguments.ts'

const VALID = { port: '3001', host: '127.0.0.1', data: 'data/sandbox', 'time-scale': '1' }

const readWith = (change: Record<string, string>) =>
  readArguments(Object.entries({ ...VALID, ...change }).flatMap(([name, value]) => [`--${name}`, value]))

test('the sandbox starts with the arguments it documents', () => {
  assert.deepEqual(readWith({}), {
    kind: 'settings',
    settings: {
      port: 3001,
      host: '127.0.0.1',
      dataFolder: 'data/sandbox',
      timeScale: 1,
      threeDSOrigin: null,
      bankOrigin: null,
      pageBase: 'http://localhost:3000',
      keepsRequestLog: false,
      mailboxPort: null,
      mailsKept: null,
      tls: null,
    },
  })
})

test('the public origins, the base of the checkout pages and a listener with mutual TLS can be set', () => {
  const tls = { 'tls-port': '3002', 'tls-certificate': 'a.pem', 'tls-key': 'b.pem', 'tls-client-ca': 'c.pem' }
  const origins = { 'three-ds-origin': 'https://3ds.example', 'bank-origin': 'https://bank.example:8443' }
  const answer = readWith({
    ...tls,
    ...origins,
    'page-base': 'https://pay.example',
    'mailbox-port': '3003',
    'mails-kept': '5000',
  })
  assert.deepEqual(answer.kind === 'settings' ? answer.settings : answer, {
    port: 3001,
    host: '127.0.0.1',
    dataFolder: 'data/sandbox',
    timeScale: 1,
    threeDSOrigin: 'https://3ds.example',
    bankOrigin: 'https://bank.example:8443',
    pageBase: 'https://pay.example',
    keepsRequestLog: false,
    mailboxPort: 3003,
    mailsKept: 5000,
    tls: { port: 3002, certificateFile: 'a.pem', keyFile: 'b.pem', clientCaFile: 'c.pem' },
  })
  for (const missing of Object.keys(tls)) {
    const rest = Object.fromEntries(Object.entries(tls).filter(([name]) => name !== missing))
    const partial = readWith(rest)
    assert.match(partial.kind === 'refused' ? partial.problem : '', new RegExp(`^--${missing} is missing; give`))
  }
})

test('the request log is on only where it is asked for', () => {
  for (const [given, expected] of [
    ['on', true],
    ['off', false],
  ] as const) {
    const answer = readWith({ 'request-log': given })
    assert.equal(answer.kind === 'settings' ? answer.settings.keepsRequestLog : answer.problem, expected)
  }
  const bare = readArguments(['--request-log'])
  assert.match(bare.kind === 'refused' ? bare.problem : '', /^--request-log has no value; give on or off, as in/)
})

test('the bank and the 3-D Secure server cannot have the same origin', () => {
  const answer = readWith({ 'three-ds-origin': 'http://a.localhost:1', 'bank-origin': 'http://a.localhost:1' })
  assert.match(answer.kind === 'refused' ? answer.problem : '', /^--bank-origin "http:\/\/a\.localhost:1" is the 3-D/)
})

test('both ends of every range are accepted', () => {
  for (const change of [
    { port: '0' },
    { port: '65535' },
    { 'time-scale': '0.1' },
    { 'time-scale': '1.0' },
    { 'mails-kept': '1' },
    { 'mails-kept': '99999' },
  ]) {
    assert.equal(readWith(change).kind, 'settings', JSON.stringify(change))
  }
  for (const host of ['localhost', '0.0.0.0', '::1']) assert.equal(readWith({ host }).kind, 'settings', host)
})

test('a value outside its range is refused with a line that names the argument and the correction', () => {
  const wrong: [string, string, RegExp][] = [
    ['port', '65536', /^--port "65536" is not valid; give a whole number from 0 to 65535/],
    ['port', '-1', /^--port "-1" is not valid; give/],
    ['port', '30.5', /^--port "30.5" is not valid; give/],
    ['port', '', /^--port "" is not valid; give/],
    ['host', 'no such host', /^--host "no such host" is not valid; give an IP address or localhost/],
    ['data', ' ', /^--data " " is not valid; give a folder/],
    ['time-scale', '0.09', /^--time-scale "0.09" is not valid; give a number from 0.1 to 1/],
    ['time-scale', '1.01', /^--time-scale "1.01" is not valid; give/],
    ['tls-port', '65536', /^--tls-port "65536" is not valid; give a whole number from 0 to 65535/],
    ['tls-key', '', /^--tls-key "" is not valid; give a PEM file/],
    ['bank-origin', 'http://bank.localhost:3001/', /^--bank-origin "[^"]+" is not valid; give scheme, host and port/],
    ['three-ds-origin', 'bank.localhost', /^--three-ds-origin "bank.localhost" is not valid; give scheme/],
    ['page-base', 'ftp://localhost', /^--page-base "ftp:\/\/localhost" is not valid; give scheme/],
    ['request-log', 'ON', /^--request-log "ON" is not valid; give on or off, as in --request-log on/],
    ['request-log', '', /^--request-log "" is not valid; give on or off/],
    ['mails-kept', '0', /^--mails-kept "0" is not valid; give a whole number from 1 to 99999/],
    ['mails-kept', '100000', /^--mails-kept "100000" is not valid; give/],
    ['time-scale', 'fast', /^--time-scale "fast" is not valid; give/],
  ]
  for (const [name, value, line] of wrong) {
    const answer = readWith({ [name]: value })
    assert.equal(answer.kind, 'refused', `${name} ${value}`)
    assert.match(answer.kind === 'refused' ? answer.problem : '', line)
  }
})

test('a missing argument is refused by name', () => {
  for (const missing of Object.keys(VALID)) {
    const rest = Object.entries(VALID).filter(([name]) => name !== missing)
    const answer = readArguments(rest.flatMap(([name, value]) => [`--${name}`, value]))
    assert.match(answer.kind === 'refused' ? answer.problem : '', new RegExp(`^--${missing} is missing; give`))
  }
})

test('an argument the sandbox does not know is refused by name', () => {
  const options = readArguments(['--speed', '9'])
  assert.match(options.kind === 'refused' ? options.problem : '', /^--speed is not an argument; use --port, --host/)
  const positional = readArguments(['fast'])
  assert.match(positional.kind === 'refused' ? positional.problem : '', /^fast is not an argument; use --port, --host/)
})
