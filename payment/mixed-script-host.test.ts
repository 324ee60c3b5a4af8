import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMixedScriptHost } from './mixed-script-host.ts'

test('a host in one script, or in scripts that are written together, is a plain host', () => {
  for (const host of [
    'shop.example.com',
    '日本茶.example',
    'お茶shop.example',
    '한국shop.example',
    'почта.example',
    'ร้าน.example',
    '1-2.example',
  ])
    assert.equal(isMixedScriptHost(host), false, host)
})

test('a host with a letter of another script among its own is refused: it looks like another shop', () => {
  for (const host of ['аpple.example', 'shор.example', 'αbc.example', '茶ч.example', 'shop.exаmple'])
    assert.equal(isMixedScriptHost(host), true, host)
})
