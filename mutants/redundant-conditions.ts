/** Conditions on a newsletter that no test can miss, and why they stay. */
export const redundantConditions: { because: string; names: string[] }[] = [
  {
    because:
      'The id is that of a sending, from its row or from a journal that was written from it. The index sending_id makes it unique over all newsletters; claims and positions refer to it by a foreign key, and deliveries by the trigger check_sending. With the newsletter the primary key is used.',
    names: [
      'server/sending/claims.ts lockPosition 1',
      'server/sending/claims.ts movePosition 1',
      'server/sending/claims.ts findUntried 1',
      'server/sending/claims.ts renewClaims 1',
      'server/sending/claims.ts answerDeliveries 2',
      'server/sending/claims.ts answerDeliveries 3',
      'server/sending/claims.ts answerDeliveries 4',
      'server/sending/claims.ts answerDeliveries 5',
      'server/sending/claims.ts expireClaims 1',
      'server/sending/claims.ts heldBy 1',
      'server/sending/delivery-state.ts takeBackRefusals 1',
      'server/sending/delivery-state.ts settleRefusals 1',
      'server/sending/state.ts finishSending 1',
    ],
  },
  {
    because:
      'The publication is that of a sending, from its row or from a journal that was written from it. The index publication_id makes it unique over all newsletters, and check_sending lets a delivery belong to it in its newsletter only. With the newsletter the primary key is used.',
    names: [
      'server/sending/claims.ts leaveOut 1',
      'server/sending/claims.ts answerDeliveries 6',
      'server/sending/claims.ts heldBy 2',
    ],
  },
]
