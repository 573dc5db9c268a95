import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Judgement, restoreJudgement, toStored } from './trace.ts'

const judgement: Judgement = {
  matching: {
    brand_uid: 'acme',
    band: 'automatic',
    score: 0.97,
    method: 'name',
    reason: null,
    proposed_brand_uid: null,
    evidence: [
      { field: 'merchant_descriptor', value: 'ACME #7', matched: 'acme', kind: 'number', strategy: 'whole_name' },
      { field: 'merchant_descriptor', value: 'ACME #7', matched: '7', kind: 'store_number' },
      { field: 'website', value: 'acme.example', matched: 'acme.example' },
    ],
    runner_up: { brand_uid: 'acne', score: 0.4 },
  },
  candidates: [
    {
      offer_uid: 'card',
      offer_version: 2,
      eligible: true,
      status_reason: null,
      rules: [{ rule: 'min_spend', value: '20.00', bound: '10.00', passed: true }],
      user_cashback: 1.4,
      would_earn: 1.4,
      would_share: null,
    },
  ],
  more_candidates: 0,
  chosen: 'card',
  chosen_by: 'only_eligible',
  chosen_over: null,
}
// The stored format. Changing one of its shapes would change the meaning of existing rows.
const STORED =
  '[1,[2,"acme","automatic",0.97,"name",null,null,[0,[5,"merchant_descriptor","ACME #7","acme","number","whole_name"],' +
  '[4,"merchant_descriptor","ACME #7","7","store_number"],[3,"website","acme.example","acme.example"]],[6,"acne",0.4]],' +
  '[0,[7,"card",2,true,null,[0,[8,"min_spend","20.00","10.00",true]],1.4,1.4]],0,"card","only_eligible"]'

test('a judgment is stored in the format of the first release and reads back unchanged', () => {
  assert.equal(JSON.stringify(toStored(judgement)), STORED)
  assert.deepEqual(restoreJudgement(JSON.parse(STORED)), judgement)
})

test('judgments stored with property names or with rules as lists remain readable', () => {
  assert.deepEqual(restoreJudgement(judgement), judgement)
  const [candidate] = judgement.candidates
  const listed = { ...candidate, rules: [['min_spend', '20.00', '10.00', true]] }
  assert.deepEqual(restoreJudgement({ ...judgement, candidates: [listed] }), judgement)
})
