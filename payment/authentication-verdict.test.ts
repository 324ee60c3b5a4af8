import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isClearedUnder,
  judge as judgeVerdict,
  judgeUnenrolled,
  TRANS_STATUSES,
  type Judgement,
  type PolicyNow,
  type TransStatus,
  type Verdict,
} from './authentication-verdict.ts'

const proof = { eci: '05', authenticationValue: 'AAABBZ=', dsTransId: 'd1', messageVersion: '2.2.0' } as const
const verdict = (transStatus: TransStatus, more: Partial<Verdict> = {}): Verdict => ({
  transStatus,
  ...proof,
  reason: null,
  challengeCancel: null,
  ...more,
})
const tolerant = { allowExemption: true, requireFullAuthentication: false, requireChallenge: false }
const strict = { allowExemption: false, requireFullAuthentication: true, requireChallenge: false }

const judge = (of: Verdict, policy: PolicyNow, afterChallenge = false): Judgement =>
  judgeVerdict(of, { policy, afterChallenge })

test('an authenticated card holder clears the charge, with the proof that the acquirer is sent', () => {
  for (const policy of [tolerant, strict])
    assert.deepEqual(judge(verdict('Y'), policy), {
      judged: 'cleared',
      clearance: { by: 'authentication', authentication: { transStatus: 'Y', ...proof } },
    })
})

test('an attempted authentication clears the charge unless the merchant demands a full one', () => {
  assert.equal(judge(verdict('A'), tolerant).judged, 'cleared')
  assert.deepEqual(judge(verdict('A'), strict), {
    judged: 'refused',
    reason: 'only attempted',
    counted: false,
    blocksCard: false,
  })
})

test('a verdict without its whole proof does not clear the card', () => {
  for (const transStatus of ['Y', 'A'] as const)
    for (const missing of ['eci', 'authenticationValue', 'dsTransId', 'messageVersion'])
      assert.deepEqual(
        judge(verdict(transStatus, { [missing]: null }), tolerant),
        { judged: 'refused', reason: 'the proof is incomplete', counted: false, blocksCard: false },
        `${transStatus} without ${missing}`,
      )
})

test('a verdict whose ECI says that it is not authenticated does not clear the card', () => {
  for (const eci of ['00', '04', '07'])
    assert.deepEqual(judge(verdict('Y', { eci }), tolerant), {
      judged: 'refused',
      reason: 'no liability shift (ECI)',
      counted: false,
      blocksCard: false,
    })
  for (const eci of ['05', '06', '02', '01']) assert.equal(judge(verdict('Y', { eci }), tolerant).judged, 'cleared')
})

test('every other transaction status refuses, and only a refusal of the issuer counts towards closing the link', () => {
  const expected: Record<Exclude<TransStatus, 'Y' | 'A'>, readonly [counted: boolean, blocksCard: boolean]> = {
    N: [true, false],
    R: [true, true],
    U: [false, false],
    I: [false, false],
    D: [false, false],
  }
  for (const transStatus of TRANS_STATUSES) {
    if (transStatus === 'Y' || transStatus === 'A') continue
    for (const policy of [tolerant, strict]) {
      const judgement = judge(verdict(transStatus), policy)
      assert.ok(judgement.judged === 'refused', transStatus)
      assert.deepEqual([judgement.counted, judgement.blocksCard], expected[transStatus], transStatus)
    }
  }
})

test('a challenge that was cancelled or timed out does not count against the card', () => {
  for (const challengeCancel of ['01', '04', '05']) {
    const judgement = judge(verdict('N', { challengeCancel }), tolerant)
    assert.ok(judgement.judged === 'refused' && !judgement.counted)
  }
})

test('only a challenge that was left or timed out is unfinished: every refusal of an issuer stays the one decline', () => {
  for (const transStatus of TRANS_STATUSES)
    for (const challengeCancel of [null, '01', '04'])
      for (const afterChallenge of [false, true]) {
        const judgement = judge(verdict(transStatus, { challengeCancel }), strict, afterChallenge)
        const isUnfinished = transStatus === 'N' && challengeCancel !== null && afterChallenge
        assert.equal('unfinished' in judgement, isUnfinished, `${transStatus} ${challengeCancel} ${afterChallenge}`)
      }
})

test('the issuer’s reason is kept with the refusal', () => {
  const judgement = judge(verdict('N', { reason: '19' }), tolerant)
  assert.ok(judgement.judged === 'refused')
  assert.equal(judgement.reason, 'not authenticated (19)')
})

test('a card that is not enrolled in 3-D Secure is charged only where its merchant bears the risk', () => {
  assert.deepEqual(judgeUnenrolled(tolerant), {
    judged: 'cleared',
    clearance: { by: 'exemption', reason: 'not_enrolled' },
  })
  assert.equal(judgeUnenrolled(strict).judged, 'refused')
})

test('while a challenge is required, an issuer’s full authentication clears a card with a challenge or without, a mere attempt and an exempt card never', () => {
  const challengeRequired = { ...tolerant, requireChallenge: true }
  for (const afterChallenge of [false, true]) {
    const judgement = judge(verdict('Y'), challengeRequired, afterChallenge)
    assert.ok(judgement.judged === 'cleared')
    assert.equal(isClearedUnder(judgement.clearance, challengeRequired), true)
    assert.deepEqual(judge(verdict('A'), challengeRequired, afterChallenge), {
      judged: 'refused',
      reason: 'without the challenge that was required',
      counted: false,
      blocksCard: false,
    })
  }
  assert.equal(judge(verdict('Y', { authenticationValue: null }), challengeRequired).judged, 'refused')
  assert.equal(judgeUnenrolled(challengeRequired).judged, 'refused')
})

test('of cards that were cleared before challenges were required, those that their issuer authenticated are still cleared', () => {
  for (const [judgement, isStillCleared] of [
    [judge(verdict('Y'), tolerant), true],
    [judge(verdict('A'), tolerant), false],
    [judgeUnenrolled(tolerant), false],
  ] as const) {
    assert.ok(judgement.judged === 'cleared')
    assert.equal(isClearedUnder(judgement.clearance, { requireChallenge: false }), true)
    assert.equal(isClearedUnder(judgement.clearance, { requireChallenge: true }), isStillCleared)
  }
})
