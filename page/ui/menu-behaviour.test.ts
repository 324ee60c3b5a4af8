import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localeLabel, PAGE_LOCALES } from '#contract/locale.ts'
import { itemForKey, MENU_ITEM_HEIGHT_PX, opensUpward } from './menu-behaviour.ts'

const LABELS = PAGE_LOCALES.map(localeLabel)

test('six languages of 36 px and 20 px more need 236 px below; with less the list opens upward', () => {
  assert.equal(MENU_ITEM_HEIGHT_PX, 36)
  assert.equal(opensUpward(6, 236), false)
  assert.equal(opensUpward(6, 235.99), true)
  assert.equal(opensUpward(6, 237), false)
  assert.equal(opensUpward(6, 0), true)
  assert.equal(opensUpward(6, -50), true)
})

test('the space needed grows by 36 px for each item', () => {
  for (let items = 0; items <= 12; items += 1) {
    const needed = items * 36 + 20
    assert.equal(opensUpward(items, needed), false)
    assert.equal(opensUpward(items, needed - 1), true)
  }
})

test('arrows step from language to language and stop at both ends', () => {
  for (let active = 0; active <= 5; active += 1) {
    assert.equal(itemForKey('ArrowDown', active, LABELS), Math.min(active + 1, 5))
    assert.equal(itemForKey('ArrowUp', active, LABELS), Math.max(active - 1, 0))
    assert.equal(itemForKey('Home', active, LABELS), 0)
    assert.equal(itemForKey('End', active, LABELS), 5)
  }
})

test('a letter finds the next language that begins with it, in either case, and goes round', () => {
  assert.deepEqual(LABELS, ['日本語', 'English (US)', '한국어', '中文 (简体)', '中文 (繁體)', 'ภาษาไทย'])
  assert.equal(itemForKey('e', 0, LABELS), 1)
  assert.equal(itemForKey('E', 5, LABELS), 1)
  assert.equal(itemForKey('e', 1, LABELS), 1)
  assert.equal(itemForKey('中', 0, LABELS), 3)
  assert.equal(itemForKey('中', 3, LABELS), 4)
  assert.equal(itemForKey('中', 4, LABELS), 3)
  assert.equal(itemForKey('ภ', 0, LABELS), 5)
})

test('a key that selects no item changes nothing', () => {
  for (const key of ['x', 'Shift', 'Dead', 'Process', 'PageDown', 'F1', 'ArrowLeft', '', '🂡']) {
    assert.equal(itemForKey(key, 2, LABELS), undefined, key)
  }
})
