-- The job that verifies DKIM keys has a new name. Nobody would ever take what is queued under the one before, and the
-- next hour queues it anew. A new database has no queue yet.

do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'see_dkim_keys';
  end if;
end $$;
