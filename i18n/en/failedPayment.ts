/** What a subscriber is told when a payment does not come. */
export default {
  failed: {
    subject: 'Your payment for {{newsletter}} did not go through',
    title: 'Your bank said no this time',
    preheader: 'It takes a minute to put right, and you can go on reading meanwhile.',
    text: 'The payment for “{{plan}}” did not go through. That happens: a card has expired, or a limit was reached. You can read until {{until}}. A new card on your page settles it; if it was only a limit, there is nothing to do: the payment is tried again.',
    action: 'See to my payment',
    after: 'You need not answer this mail. If you would rather stop, you can cancel on the same page.',
  },
  ended: {
    subject: 'Your “{{plan}}” of {{newsletter}} has ended',
    title: 'It has ended, since no payment came',
    preheader: 'Nothing is owed, and nothing more is charged.',
    text: 'The payment for “{{plan}}” did not come after several attempts, so it has ended. You owe nothing and nothing more is charged. What is free still comes to you as before.',
    action: 'Open my page',
    after: 'If you would like to read all of it again, you can begin anew whenever you like.',
  },
}
