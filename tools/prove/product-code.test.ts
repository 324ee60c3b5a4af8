import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../root.ts'
import { PRODUCT_CODE } from './product-code.ts'

test('every part of the product code is there: git counts no change of what is not', () => {
  assert.deepEqual(
    PRODUCT_CODE.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
})
