// Stands in for curl where none is installed: node journeys/harness/curl.ts <arguments of curl>
import { carryOutCurl } from '../../proof/whole-server/reference/curl-interpreter.ts'

process.stdout.write(await carryOutCurl(process.argv.slice(2), process.cwd()))
