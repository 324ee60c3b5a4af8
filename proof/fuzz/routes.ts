/** Routes under fuzz: a valid call for every route of the app. A route that is missing here fails the fuzz test. */
import { CONSOLE_CALLS } from './console-calls.ts'
import { MERCHANT_CALLS } from './merchant-calls.ts'
import { routeOf, type FuzzedRoute } from './route-call.ts'
import { SHOPPER_CALLS } from './shopper-calls.ts'

export const FUZZED_ROUTES: Readonly<Record<string, FuzzedRoute>> = Object.fromEntries(
  Object.entries({ ...SHOPPER_CALLS, ...MERCHANT_CALLS, ...CONSOLE_CALLS }).map(([name, call]) => [
    name,
    routeOf(name, call),
  ]),
)

/** Routes that draw a page or ask the world outside: each takes as long as ten calls, so that they are sent less often. */
export const isDear = (route: string): boolean =>
  /^GET \/(404|500|preview|:checkoutId\/\*)$/.test(route) || route.endsWith('/operator/doctor')
