import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packData, toDataText } from './stored-data.ts'

test('rows stored in the 2026 shape can still be read', () => {
  const values = Array.from({ length: 28 }, (_, index) => index)
  assert.equal(
    toDataText(JSON.stringify([1, ...values])),
    '{"transaction_uid":0,"publisher_user_id":1,"svc_user_id":2,"source":3,"external_id":4,"transaction_date_time":5,' +
      '"status":6,"status_reason":7,"brand_uid":8,"merchant_name":9,"merchant_descriptor":10,"order_id":11,"account_id":12,' +
      '"amount":13,"refunded_amount":14,"currency":15,"offer_uid":16,"offer_type":17,"reward_type":18,"user_cashback":19,' +
      '"user_discount":20,"publisher_share":21,"cleared_on":22,"available_on":23,"adjusts":24,"version":25,"created_at":26,' +
      '"updated_at":27}',
  )
})

test('data with any other shape is stored unpacked', () => {
  const data = { link_uid: 'lnk_1', status: null }
  assert.equal(toDataText(JSON.stringify(packData(data))), JSON.stringify(data))
})
