/** Calls of the console under fuzz, made by an owner who is also the operator. What would end the fuzz itself names nobody. */
import { seededId, type SeededRandom } from '../harness/seeded-random.ts'
import type { RouteCalls } from './route-call.ts'

const token = (random: SeededRandom): string => seededId(random)

/** As a browser sends it; no authenticator has signed it. */
const signed = (random: SeededRandom, created: boolean): unknown => {
  const challenge = token(random)
  const type = created ? 'webauthn.create' : 'webauthn.get'
  const clientData = JSON.stringify({ type, challenge, origin: 'http://console.localhost:3000', crossOrigin: false })
  const bytes = Buffer.from(seededId(random).repeat(random.between(1, 20)))
  const [id, data] = [token(random), bytes.toString('base64url')]
  const clientDataJSON = Buffer.from(clientData).toString('base64url')
  const response = created
    ? { clientDataJSON, attestationObject: data, transports: ['internal'] }
    : { clientDataJSON, authenticatorData: data, signature: data }
  return { id, rawId: id, type: 'public-key', response, authenticatorAttachment: 'platform' }
}

const address = (random: SeededRandom): string => `person-${random.between(1, 40)}@example.com`

const newShop = (random: SeededRandom): unknown => ({
  label: `fuzz-${random.between(1, 30)}`,
  shopName: random.oneOf(['Tea', 'お茶']),
  ...(random.chance(0.5) ? { shopUrl: 'https://shop.example.com', shopPhoneNumber: '03-0000-0000' } : {}),
  owner: { email: address(random), locale: random.oneOf(['ja', 'en-US']) },
})

const newKey = (random: SeededRandom): unknown => ({
  mode: random.oneOf(['test', 'live']),
  access: random.oneOf(['read', 'sales', 'full']),
  ...(random.chance(0.5) ? { name: 'till', expiresAt: '2028-03-31' } : {}),
})

const passkey = (random: SeededRandom): unknown => ({ passkey: signed(random, false) })

/** By method and address as the app declares them. */
export const CONSOLE_CALLS: RouteCalls = {
  'POST /console/v1/links': { reached: 200, json: (random) => ({ email: address(random), locale: 'ja' }) },
  'POST /console/v1/links/read': { reached: 422, json: (random) => ({ token: token(random) }) },
  'POST /console/v1/links/use': {
    reached: 422,
    json: (random) => ({ token: token(random), email: address(random), name: '青山', locale: 'ja' }),
  },
  'POST /console/v1/sign-in': { reached: 200 },
  'POST /console/v1/sign-in/passkey': { reached: 422, json: passkey },

  'GET /console/v1/session': { reached: 200 },
  // One of the sessions under fuzz: there are many.
  'DELETE /console/v1/session': { reached: 200 },
  'PATCH /console/v1/person': { reached: 200, json: (random) => ({ name: random.oneOf(['青山', 'Aoyama']) }) },
  'GET /console/v1/sessions': { reached: 200 },
  'DELETE /console/v1/sessions/:sessionId': { reached: 404 },
  'POST /console/v1/confirmation': { reached: 200 },
  'POST /console/v1/confirmation/passkey': { reached: 422, json: passkey },
  'GET /console/v1/passkeys': { reached: 200 },
  'POST /console/v1/passkeys/enrolment': { reached: 200 },
  'POST /console/v1/passkeys': {
    reached: 422,
    json: (random) => ({ passkey: signed(random, true), name: random.oneOf(['phone', '携帯']) }),
  },
  'DELETE /console/v1/passkeys/:passkeyId': { reached: 404 },

  'GET /console/v1/people': { reached: 200 },
  'POST /console/v1/invitations': {
    reached: 201,
    json: (random) => ({ email: address(random), role: random.oneOf(['owner', 'staff', 'viewer']), locale: 'ja' }),
  },
  'DELETE /console/v1/invitations/:invitationId': { reached: 404 },
  // The only owner stays one.
  'PATCH /console/v1/people/:personId': { reached: 200, json: () => ({ role: 'owner' }) },
  'DELETE /console/v1/people/:personId': { reached: 409 },
  'POST /console/v1/people/:personId/passkeys/:passkeyId/approve': { reached: 404 },

  'GET /console/v1/keys': { reached: 200 },
  'POST /console/v1/keys': { reached: 201, json: newKey },
  'POST /console/v1/keys/:keyId/roll': { reached: 404, json: () => ({ expiresAt: '2028-03-31' }) },
  'POST /console/v1/keys/:keyId/revoke': { reached: 404 },
  'GET /console/v1/audit': { reached: 200, query: () => '?limit=3' },

  'GET /console/v1/operator/shops': { reached: 200, query: () => '?limit=3' },
  'POST /console/v1/operator/shops': { reached: 201, json: newShop },
  'POST /console/v1/operator/shops/:label/close': { reached: 404 },
  'POST /console/v1/operator/shops/:label/reopen': { reached: 404 },
  'GET /console/v1/operator/doubts': { reached: 200 },
  'GET /console/v1/operator/outbox': { reached: 200, query: () => '?state=failed' },
  'POST /console/v1/operator/outbox/retry': {
    reached: 404,
    json: (random) => random.oneOf([{ mailId: token(random) }, { eventId: `evt_${token(random)}` }]),
  },
  'GET /console/v1/operator/set-aside': { reached: 200 },
  'POST /console/v1/operator/set-aside': {
    reached: 200,
    json: (random) => ({
      queue: random.oneOf(['notifications', 'mails', 'deliveries']),
      id: token(random),
      decision: random.oneOf(['look', 'retry', 'drop']),
    }),
  },
  'POST /console/v1/operator/doctor': { reached: 200 },
  'GET /console/v1/operator/audit': { reached: 200, query: () => '?limit=3' },
  'GET /console/v1/*': { reached: 405, path: () => '/console/v1/nothing' },
}
