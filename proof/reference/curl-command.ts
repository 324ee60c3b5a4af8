// Stands in for curl where none is installed: node proof/reference/curl-command.ts <arguments of curl>
import { carryOutCurl } from './curl-interpreter.ts'

process.stdout.write(await carryOutCurl(process.argv.slice(2), process.cwd()))
