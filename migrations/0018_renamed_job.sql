-- The job that verifies DKIM keys has a new name. Jobs in the queue under the old name would never run, so they are deleted;
-- the next hour queues the job again. A new database has no queue yet.

do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'see_dkim_keys';
  end if;
end $$;
