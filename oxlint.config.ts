/** Lint: what oxlint holds, the rules of the house among them. */
import { defineConfig } from 'oxlint'
import { houseRules } from './house-rules.ts'

const house = houseRules(import.meta.dirname)

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'node'],
  jsPlugins: ['./tools/test/lint-rules.ts'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
    perf: 'error',
  },
  options: {
    typeAware: true,
  },
  rules: {
    ...house.rules,
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [
          {
            from: 'package',
            package: 'node:test',
            name: ['test', 'describe'],
          },
        ],
      },
    ],
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/strict-boolean-expressions': 'off',
    'import/no-default-export': 'error',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/react-in-jsx-scope': 'off',
    'react/no-unstable-nested-components': [
      'error',
      {
        allowAsProps: true,
      },
    ],
    'no-await-in-loop': 'off',
    'no-console': 'error',
    eqeqeq: 'error',
    'prefer-const': 'error',
    'no-var': 'error',
    'typescript/consistent-return': 'off',
    'typescript/consistent-type-assertions': [
      'error',
      {
        assertionStyle: 'never',
      },
    ],
    'unicorn/consistent-function-scoping': 'off',
    'oxc/no-map-spread': 'off',
    'import/no-named-as-default-member': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'promise/always-return': 'off',
    'unicorn/prefer-set-has': 'off',
    'import/no-unassigned-import': [
      'error',
      {
        allow: ['**/*.css', '**/*.svg'],
      },
    ],
    'typescript/unbound-method': 'off',
    'import/no-named-as-default': 'off',
  },
  overrides: [
    ...house.overrides,
    {
      files: ['oxlint.config.ts', 'vite.config.ts', 'playwright.config.ts', 'tools/test/lint-rules.ts'],
      rules: {
        'import/no-default-export': 'off',
      },
    },
    {
      files: ['contract/**', 'payment/**', 'server/**', 'ui/**', 'page/**', 'console/**'],
      rules: {
        'kaikei/linear-regexp': 'error',
      },
    },
    {
      files: ['tools/**'],
      rules: {
        'no-console': 'off',
      },
    },
    {
      files: ['**/*.test.ts', '**/testing/**'],
      rules: {
        'kaikei/linear-regexp': 'off',
      },
    },
    {
      files: ['**/*.test.ts', '**/*.spec.ts', 'journeys/**', 'proof/harness/**'],
      rules: {
        'typescript/no-unsafe-type-assertion': 'off',
        'typescript/consistent-type-assertions': 'off',
        'typescript/no-misused-spread': 'off',
        'typescript/restrict-template-expressions': 'off',
        'unicorn/no-useless-spread': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-argument': 'off',
        'no-shadow': 'off',
        'unicorn/prefer-array-find': 'off',
        'unicorn/prefer-string-starts-ends-with': 'off',
        'typescript/no-unnecessary-template-expression': 'off',
      },
    },
  ],
  ignorePatterns: ['dist', 'data', 'node_modules'],
})
