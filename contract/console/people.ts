/** People of a shop: who they are, who is invited, and the calls that change both. The header Merchant names the shop. */
import { Type, type Static } from 'typebox'
import { NoPath } from '../calls.ts'
import { bodilessConsoleCall, consoleCall } from './calls.ts'
import { closed, Done, Email, Instant, LocaleField, PathText, RoleField } from './fields.ts'
import { CONSOLE_ROUTES } from './paths.ts'

/** People and open invitations of one shop. */
export const PEOPLE_MAX = 100

const WaitingPasskey = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: Instant, confirmsFrom: Instant },
  closed,
)

export const Member = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: RoleField,
    joinedAt: Instant,
    hasPasskey: Type.Optional(
      Type.Boolean({ description: 'Told to owners alone: whose mailbox alone would do is nobody else’s matter.' }),
    ),
    waitingPasskeys: Type.Optional(
      Type.Array(WaitingPasskey, {
        description:
          'Told to owners alone. Enrolled after a recovery: they confirm nothing yet; another owner can approve them.',
      }),
    ),
  },
  { ...closed, title: 'Member' },
)
export type Member = Static<typeof Member>

export const InvitationAnswer = Type.Object(
  { id: Type.String(), email: Type.String(), role: RoleField, createdAt: Instant, expiresAt: Instant },
  { ...closed, title: 'Invitation' },
)
export type InvitationAnswer = Static<typeof InvitationAnswer>

export const listPeople = bodilessConsoleCall({
  ...CONSOLE_ROUTES.listPeople,
  summary: 'List the people of a shop, and its open invitations',
  params: NoPath,
  answer: Type.Object(
    { people: Type.Array(Member), invitations: Type.Array(InvitationAnswer) },
    { ...closed, title: 'People' },
  ),
  errors: [],
})

export const invitePerson = consoleCall({
  ...CONSOLE_ROUTES.invitePerson,
  summary: 'Invite a person by mail; the link works once, for 72 hours',
  params: NoPath,
  body: Type.Object({ email: Email, role: RoleField, locale: LocaleField }, closed),
  status: 201,
  answer: Type.Object(
    {
      ...InvitationAnswer.properties,
      link: Type.Optional(
        Type.String({ description: 'Where no mail is sent: the address to pass on. It is shown this once.' }),
      ),
    },
    { ...closed, title: 'NewInvitation' },
  ),
  errors: ['already_a_member', 'too_many_people'],
})

export const withdrawInvitation = bodilessConsoleCall({
  ...CONSOLE_ROUTES.withdrawInvitation,
  summary: 'Withdraw an invitation: its link no longer works',
  params: Type.Object({ invitationId: PathText(100) }),
  answer: Done,
  errors: ['person_not_found'],
})

const PersonPath = Type.Object({ personId: PathText(100) })

export const changeRole = consoleCall({
  ...CONSOLE_ROUTES.changeRole,
  summary: 'Change what a person may do at the shop',
  params: PersonPath,
  body: Type.Object({ role: RoleField }, closed),
  status: 200,
  answer: Done,
  errors: ['person_not_found', 'last_owner'],
})

export const removePerson = bodilessConsoleCall({
  ...CONSOLE_ROUTES.removePerson,
  summary: 'Remove a person from the shop, at once',
  params: PersonPath,
  answer: Done,
  errors: ['person_not_found', 'last_owner'],
})

export const approvePasskey = bodilessConsoleCall({
  ...CONSOLE_ROUTES.approvePasskey,
  summary: 'Approve the passkey that another person has enrolled after a recovery: it confirms at once',
  params: Type.Object({ personId: PathText(100), passkeyId: PathText(1400) }),
  answer: Done,
  errors: ['person_not_found', 'approval_not_allowed'],
})
