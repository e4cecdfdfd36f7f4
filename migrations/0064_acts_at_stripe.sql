-- What is done at Stripe for an owner or a subscriber: coupons, and offers to who cancels.

alter table newsletter
  -- What is offered to who has cancelled. Null: nothing.
  add column win_back_coupon_id integer,
  add foreign key (id, win_back_coupon_id) references coupon (newsletter_id, id) on delete set null (win_back_coupon_id);

alter table stripe_object drop constraint stripe_object_kind_check;
alter table stripe_object add check (kind in ('product', 'price', 'net_price', 'coupon'));

alter table subscription
  -- Off each period, in the smallest unit, of coupons that last longer than one. It costs the rest.
  add column discount bigint not null default 0 check (discount >= 0),
  -- The discounts at Stripe of which that is the sum.
  add column stripe_discounts text[] not null default '{}';

-- Stripe counts the last use. What somebody used at Stripe's own pages may be more than was meant here.
alter table coupon drop constraint coupon_check;
alter table coupon add check (used >= 0);

-- Which coupon was used for which purchase, so that each use is counted once.
create table coupon_use (
  newsletter_id text not null,
  coupon_id integer not null,
  subscription_id uuid not null,
  at timestamptz not null,
  primary key (newsletter_id, coupon_id, subscription_id),
  foreign key (newsletter_id, coupon_id) references coupon (newsletter_id, id) on delete cascade,
  foreign key (newsletter_id, subscription_id) references subscription (newsletter_id, id) on delete cascade
);
create index coupon_use_subscription on coupon_use (newsletter_id, subscription_id);
