import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBrowser, faultLine } from './browser.ts'
import { CommandError } from '../command-error.mjs'
import { temporaryFolder } from '../testing/temporary-folder.ts'

test('the browser is the chosen one, else one on the PATH, else Playwright’s own', (t) => {
  const files = [
    'mine',
    'a/google-chrome',
    'b/chromium',
    'b/google-chrome-stable',
    'c/chromium-headless-shell',
    'playwright-browser',
  ]
  const folder = temporaryFolder(t, Object.fromEntries(files.map((file) => [file, ''])))
  const at = (name: string): string => join(folder, name)
  for (const file of files) chmodSync(at(file), 0o755)
  const PATH = `${at('none')}:${at('a')}:${at('b')}`
  assert.equal(findBrowser({ CHROMIUM: at('mine'), PATH }, at('playwright-browser')), at('mine'))
  assert.equal(findBrowser({ CHROMIUM: '', PATH }, at('playwright-browser')), at('b/chromium'))
  assert.equal(findBrowser({ PATH: `${PATH}:${at('c')}` }, at('playwright-browser')), at('c/chromium-headless-shell'))
  assert.equal(findBrowser({ PATH: at('a') }, at('playwright-browser')), at('a/google-chrome'))
  assert.equal(findBrowser({ PATH: at('none') }, at('playwright-browser')), at('playwright-browser'))
  assert.equal(findBrowser({ PATH: at('none') }, at('missing')), undefined)
  assert.equal(findBrowser({}, ''), undefined)
})

test('a file that cannot be run is no browser', (t) => {
  const folder = temporaryFolder(t, { chromium: '' })
  assert.equal(findBrowser({ PATH: folder }, ''), undefined)
})

test('a chosen browser that is not there is refused, never replaced by another', () => {
  assert.throws(
    () => findBrowser({ CHROMIUM: '/no/such/browser', PATH: process.env['PATH'] }, ''),
    (error) => {
      assert.ok(error instanceof CommandError)
      assert.match(error.message, /^CHROMIUM=\/no\/such\/browser is not a program: set it .* or unset it$/)
      return true
    },
  )
})

test('of a failed installation the line that names the fault is shown', () => {
  assert.equal(faultLine('Get:1 list\nE: Unable to locate package chromium\n'), 'E: Unable to locate package chromium')
  assert.equal(
    faultLine('Error: Download failure, code=1\n    at ChildProcess.<anonymous>\n'),
    'Error: Download failure, code=1',
  )
  assert.equal(faultLine(''), 'it said nothing')
})
