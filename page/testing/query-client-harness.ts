/** Query client harness: a query without options on the page's own client, so that a journey can test the defaults. */
import { QueryObserver } from '@tanstack/query-core'
import { newQueryClient } from '../query-client.ts'

const client = newQueryClient()
client.mount()

const attempts: number[] = []
let fails = true

const observer = new QueryObserver(client, {
  queryKey: ['anything'],
  queryFn: () => {
    attempts.push(Date.now())
    return fails ? Promise.reject(new Error('no')) : Promise.resolve('yes')
  },
})

Object.assign(window, {
  harness: {
    attempts,
    observe: () => observer.subscribe(() => undefined),
    succeed: () => {
      fails = false
    },
    isCached: () => client.getQueryCache().find({ queryKey: ['anything'] }) !== undefined,
  },
})
