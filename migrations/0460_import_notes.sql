-- Whatever of a row cannot be kept is said, not the first of it alone: [{"reason", "cell"}], one for each reason.
alter table import_row add column notes jsonb;
update import_row set notes = jsonb_build_array(jsonb_build_object('reason', note, 'cell', coalesce(cell, ''))), cell = null
where note is not null and refusal is null;
alter table import_row drop column note;
