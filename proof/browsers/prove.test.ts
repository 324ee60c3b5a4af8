import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOfRealBrowsers, type RealBrowserReport } from './prove.ts'
import { firstProgram } from '../programs/find-programs.ts'

const REPORT: RealBrowserReport = { label: 'Firefox 153', notices: 3, status: 'paid', pictures: 2, errors: [] }

test('real browsers that paid are counted with their notices and pictures', () => {
  assert.deepEqual(figuresOfRealBrowsers([REPORT, { ...REPORT, label: 'WebKitGTK 2.50' }]), {
    realBrowsers: 'Firefox 153, WebKitGTK 2.50',
    paidInRealBrowsers: 2,
    noticesInRealBrowsers: 6,
    receiptsPhotographed: 4,
  })
})

test('a browser that did not pay, or whose page reported an error, has proven nothing', () => {
  assert.throws(() => figuresOfRealBrowsers([REPORT, { ...REPORT, status: 'open' }]), /left its checkout open/)
  assert.throws(() => figuresOfRealBrowsers([{ ...REPORT, errors: ['React error #418'] }]), /#418/)
  assert.throws(() => figuresOfRealBrowsers([]), /shows nothing/)
})

test('a program that is not there is refused with what to install', () => {
  assert.equal(firstProgram(['/nowhere', process.execPath], 'Node'), process.execPath)
  assert.throws(() => firstProgram(['/nowhere'], 'Firefox'), /Firefox was not found: .*apt-get install/)
})
