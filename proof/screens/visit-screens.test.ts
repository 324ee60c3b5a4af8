import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screens } from '../../journeys/harness/screens.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { chooseScreens } from './visit-screens.ts'

test('without a name every screen is chosen, with names only those', () => {
  assert.equal(chooseScreens([]), screens)
  assert.deepEqual(
    chooseScreens(['complete', 'card']).map(({ name }) => name),
    ['card', 'complete'],
  )
})

test('a screen that does not exist is refused, and those that do are named', () => {
  assert.throws(
    () => chooseScreens(['card', 'reciept']),
    (error) => {
      assert.ok(error instanceof CommandError)
      assert.match(error.message, /^there is no screen reciept: name one of card, .*, complete, .*$/)
      return true
    },
  )
})

test('no two screens share a name, which is also the name of their folder', () => {
  assert.equal(new Set(screens.map(({ name }) => name)).size, screens.length)
  for (const { name } of screens) assert.match(name, /^[a-z]+(-[a-z]+)*$/)
})
