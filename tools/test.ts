/** npm test. */
import { runCommand } from './run-command.ts'
import { runStages } from './test/run-stages.ts'

await runCommand(runStages)
