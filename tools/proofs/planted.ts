import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PLANTED_BUGS, type PlantedBug } from '../../server/simulation/planted-bugs.ts'
import { runKept } from '../leashed.mjs'
import type { Figures } from '../prove.ts'
import { Refusal, say } from '../say.mjs'
import { root } from '../setup.mjs'

const COPIED = ['contract', 'payment', 'server', 'page', 'package.json', 'tsconfig.json']

/** A copy of the code with the bug in it. A patch that does not apply any more proves nothing, so it is a failure. */
const plant = ({ name, edits }: PlantedBug): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-planted-'))
  for (const part of COPIED) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, find, replace } of edits) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (text.split(find).length !== 2) throw new Refusal(`"${name}" no longer applies to ${file}: plant it anew`)
    writeFileSync(
      join(folder, file),
      text.replace(find, () => replace),
    )
  }
  return folder
}

const commandFor = ({ caughtBy }: PlantedBug): string[] =>
  caughtBy === 'simulation'
    ? ['server/simulation/main.ts', '--runs', '2000', '--first', '--seconds', '300']
    : ['--test', caughtBy]

/** Plants every known bug into a copy of the code, one after another; whoever must catch it has to fail. */
export const prove = async (names: string[]): Promise<Figures> => {
  const chosen = PLANTED_BUGS.filter(({ name }) => names.length === 0 || names.includes(name))
  let caught = 0
  for (const bug of chosen) {
    const folder = plant(bug)
    const { code, output } = await runKept(process.execPath, commandFor(bug), { cwd: folder })
    rmSync(folder, { recursive: true, force: true })
    const [witness = ''] = /"broken":\["([^"]*)"/.exec(output)?.slice(1) ?? []
    say(`${code === 0 ? 'MISSED' : 'caught'}: ${bug.name} (${bug.caughtBy}${witness === '' ? '' : `: ${witness}`})`)
    if (code !== 0) caught += 1
  }
  if (caught < chosen.length) throw new Refusal(`${chosen.length - caught} planted bugs were not caught`)
  return { planted: chosen.length, caught }
}
