/** Stripe, form encoding: nested fields as `parent[child]=value`, as Stripe's own library writes them. */

export type FormValue = string | number | boolean | readonly FormValue[] | FormFields
export interface FormFields {
  readonly [name: string]: FormValue
}

/** Brackets stay readable: Stripe takes both, and its own library writes them so. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%5B', '[').replaceAll('%5D', ']')

const pairs = (name: string, value: FormValue): string[] =>
  typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => pairs(`${name}[${key}]`, inner))
    : [`${encoded(name)}=${encoded(String(value))}`]

export const encodeForm = (fields: FormFields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&')
