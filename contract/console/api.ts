/** Calls of the console by name. */
import { listAudit, listInstallationAudit } from './audit.ts'
import type { AnyConsoleCall } from './calls.ts'
import * as keys from './keys.ts'
import * as operator from './operator.ts'
import type { ConsoleCallName } from './paths.ts'
import * as people from './people.ts'
import * as person from './person.ts'
import * as signIn from './sign-in.ts'

export const CONSOLE_API = {
  askForLink: signIn.askForLink,
  readLink: signIn.readLink,
  consumeLink: signIn.consumeLink,
  beginSignIn: signIn.beginSignIn,
  finishSignIn: signIn.finishSignIn,
  readSession: person.readSession,
  endSession: person.endSession,
  changePerson: person.changePerson,
  listSessions: person.listSessions,
  endOtherSession: person.endOtherSession,
  beginConfirmation: person.beginConfirmation,
  finishConfirmation: person.finishConfirmation,
  listPasskeys: person.listPasskeys,
  beginEnrolment: person.beginEnrolment,
  finishEnrolment: person.finishEnrolment,
  removePasskey: person.removePasskey,
  listPeople: people.listPeople,
  invitePerson: people.invitePerson,
  withdrawInvitation: people.withdrawInvitation,
  changeRole: people.changeRole,
  removePerson: people.removePerson,
  approvePasskey: people.approvePasskey,
  listKeys: keys.listKeys,
  createKey: keys.createKey,
  rollKey: keys.rollKey,
  revokeKey: keys.revokeKey,
  listAudit,
  listShops: operator.listShops,
  openShop: operator.openShop,
  closeShop: operator.closeShop,
  reopenShop: operator.reopenShop,
  listDoubts: operator.listDoubts,
  listOutbox: operator.listOutbox,
  retryOutbox: operator.retryOutbox,
  listSetAside: operator.listSetAside,
  decideSetAside: operator.decideSetAside,
  runDoctor: operator.runDoctor,
  listInstallationAudit,
} satisfies Record<ConsoleCallName, AnyConsoleCall>
