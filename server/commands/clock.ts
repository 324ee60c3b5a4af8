/** Clock commands: what the clocks say, and that an operator has looked at the clock of this machine and it is right. */
import { confirmTime, isLastClockFollowed, readStoredTimes } from '../store/engine/heartbeat.ts'
import { PROGRAM, type Command } from './command.ts'
import { withOperatorDependencies } from './operator-database.ts'
import { factLines, instantText, timeText } from './table.ts'

const UNCONFIRMED = `The clock is not confirmed: nothing is deleted, nothing expires and no mail is sent, until it is. If the clock of this machine is wrong, set it; if it is right: ${PROGRAM} clock confirm`

export const clockShow: Command = {
  summary: 'shows the clock of this machine beside the time that payments go by',
  places: [],
  options: {},
  example: 'clock show',
  endsWithOne: 'the clock is not confirmed',
  run: (_given, env) =>
    withOperatorDependencies(env, async ({ database, clock }) => {
      const stored = await readStoredTimes(database)
      const isConfirmed = clock.isConfirmed() && isLastClockFollowed(stored)
      const facts = {
        machine: instantText(clock.wall()),
        stored: instantText(stored.at),
        storedByMachine: instantText(stored.wallAt),
        confirmed: instantText(stored.confirmedAt),
      }
      const lines = factLines({
        'clock of this machine': timeText(facts.machine),
        'newest stored time': timeText(facts.stored),
        'clock of the machine that stored it': timeText(facts.storedByMachine),
        'last confirmed by an operator': timeText(facts.confirmed),
      })
      return {
        value: { isConfirmed, ...facts },
        lines: [...lines, isConfirmed ? 'The clock is confirmed.' : UNCONFIRMED],
        exitCode: isConfirmed ? 0 : 1,
      }
    }),
}

export const clockConfirm: Command = {
  summary: 'says that the clock of this machine is right, after a jump that nobody else could confirm',
  places: [],
  options: {},
  example: 'clock confirm',
  run: (_given, env) =>
    withOperatorDependencies(env, async ({ database, clock }) => {
      const now = clock.wall()
      await confirmTime(database, now)
      const line = `Confirmed: it is ${timeText(now)}. A running server or worker whose machine says the same follows it within ten seconds.`
      return { value: { confirmed: instantText(now) }, lines: [line] }
    }),
}
