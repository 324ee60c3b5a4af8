import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { chooseConsoleScreens, CONSOLE_SCREENS } from './console-screens.ts'

test('without a name every screen of the console is chosen, with names only those; another name is refused', () => {
  assert.equal(chooseConsoleScreens([]), CONSOLE_SCREENS)
  assert.deepEqual(
    chooseConsoleScreens(['home', 'sign-in']).map(({ name }) => name),
    ['sign-in', 'home'],
  )
  assert.throws(() => chooseConsoleScreens(['hoem']), CommandError)
})

test('no two screens of the console share a name, which is also that of their pictures', () => {
  assert.equal(new Set(CONSOLE_SCREENS.map(({ name }) => name)).size, CONSOLE_SCREENS.length)
  for (const { name } of CONSOLE_SCREENS) assert.match(name, /^[a-z]+(-[a-z]+)*$/)
})

/** By its text: the file of the routes needs React. */
const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

test('every address of the console is looked at', () => {
  const screens = textOf('console-screens.ts')
  const paths = [...textOf('../../console/routes.tsx').matchAll(/path: '([^':]+)/g)].map(([, path = '']) => path)
  assert.ok(paths.length > 20)
  const isOpened = (path: string): boolean => screens.includes(`${path === '/' ? "inShop('" : path}'`)
  const isOpenedWithId = (path: string): boolean => screens.includes(`${path}\${`)
  assert.deepEqual(
    paths.filter((path) => !isOpened(path) && !isOpenedWithId(path)),
    [],
  )
})
